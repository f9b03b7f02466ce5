<?php
namespace Shop\Storage;

interface Store
{
    public function save(string $item): void;
}
