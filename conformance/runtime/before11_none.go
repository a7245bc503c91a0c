//go:build !before11

package main

import "fmt"

func validateBefore11(object any) error {
	panic(fmt.Sprintf("%T has no RuntimeValidate of a known signature", object))
}
