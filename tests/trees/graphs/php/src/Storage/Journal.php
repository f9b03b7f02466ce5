<?php
namespace Shop\Storage;

class Journal
{
    private array $lines = [];

    public function add(string $line): void
    {
        $this->lines[] = $line;
    }

    public function write(): void
    {
        $this->add('end');
    }

    public static function rotate(): void
    {
        (new Journal())->write();
    }
}
