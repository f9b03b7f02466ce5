package store

import "strings"

func newLog() *Log {
	return &Log{}
}

func (l *Log) Write(line string) {
	l.lines = append(l.lines, clean(line))
}

func clean(line string) string {
	return strings.TrimSpace(line)
}

func append2(lines []string) {
	append2(nil)
}
