package pricing

type Base struct {
	rate int
}

func (b *Base) Rate() int {
	return b.rate
}

type Discount struct {
	Base
	name string
}

func (d Discount) Apply(value int) int {
	return round(value * d.Rate())
}

func round(value int) int {
	return value
}

func New(name string) Discount {
	return Discount{name: name}
}
