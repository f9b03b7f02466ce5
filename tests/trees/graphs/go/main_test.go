package main

import "testing"

func TestHandle(t *testing.T) {
	server := NewServer()
	server.Handle("x")
	t.Log("x")
}
