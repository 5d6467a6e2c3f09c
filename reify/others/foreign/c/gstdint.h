/* Stands for the gstdint.h that configuring GNU projects makes. */
#include <stdint.h>
