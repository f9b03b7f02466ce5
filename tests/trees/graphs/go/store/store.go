package store

import (
	"fmt"
	"sync"
)

type Saver interface {
	Save(item string) error
}

type Store struct {
	mu  sync.Mutex
	log *Log
}

type Log struct {
	lines []string
}

type Cache struct {
	items map[string]string
}

func New() *Store {
	return &Store{log: newLog()}
}

func (s *Store) Save(item string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log.Write(item)
	return s.flush()
}

func (s *Store) flush() error {
	return fmt.Errorf("x")
}

func (c *Cache) Save(item string) error {
	c.items[item] = item
	return c.flush()
}

func (c *Cache) flush() error {
	return nil
}

func (c *Cache) Get(key string) string {
	return c.items[key]
}

func (c *Cache) Lock() {
}
