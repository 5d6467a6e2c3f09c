package llvm

import (
	"context"
	"errors"
)

// middle makes a test of a fault of the middle end.
func (s *search) middle(ctx context.Context) (*Test, error) {
	return nil, errors.New("the middle end is at fault")
}
