<?php
namespace Shop\Storage;

class FileStore extends BaseStore
{
    public function save(string $item): void
    {
        parent::save($item);
        self::check($item);
    }

    protected function flush(): void
    {
        Journal::rotate();
    }

    private static function check(string $item): bool
    {
        return trim($item) !== '';
    }

    public static function open(): static
    {
        return new static(new Journal());
    }
}
