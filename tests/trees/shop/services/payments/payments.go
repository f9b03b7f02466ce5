// Package payments captures and refunds card payments.
package payments

import (
	"errors"
	"time"
)

// ErrDeclined is returned when the bank refuses a card.
var ErrDeclined = errors.New("card declined")

// Gateway talks to the payment provider.
type Gateway struct {
	Charge   func(cents int64) error
	Attempts int
}

// CapturePayment charges a card and retries with exponential backoff while the provider is down.
func (g *Gateway) CapturePayment(cents int64) error {
	wait := 100 * time.Millisecond
	var err error
	for attempt := 0; attempt < g.Attempts; attempt++ {
		if err = g.Charge(cents); err == nil || errors.Is(err, ErrDeclined) {
			return err
		}
		time.Sleep(wait)
		wait *= 2
	}
	return err
}

// RefundPayment gives money back for a captured payment.
func (g *Gateway) RefundPayment(cents int64) error {
	return g.Charge(-cents)
}
