package main

import (
	"fmt"

	"example.com/shop/pricing"
	st "example.com/shop/store"
)

type Server struct {
	store    *st.Store
	cache    st.Cache
	discount pricing.Discount
}

func NewServer() *Server {
	return &Server{store: st.New(), discount: pricing.New("x")}
}

func (s *Server) Handle(item string) {
	s.store.Save(item)
	s.cache.Get(item)
	s.discount.Apply(1)
	s.log(item)
}

func (s *Server) log(item string) {
	fmt.Println(item)
}

func log(item string) {
	fmt.Print(item)
}

func use(saver st.Saver, cache *st.Cache) {
	saver.Save("x")
	cache.Save("y")
}

func shadow(log func(string)) {
	log("x")
}

func local() {
	helper := func() {}
	helper()
	var c st.Cache
	c.Save("z")
	other := &st.Store{}
	other.Save("w")
}

func shadowPackage(pricing *st.Cache) {
	pricing.Get("x")
}

func main() {
	server := NewServer()
	server.Handle("a")
	log("done")
	helper()
	s := st.New()
	s.Save("b")
}
