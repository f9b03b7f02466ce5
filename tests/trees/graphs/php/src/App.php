<?php
namespace Shop;

use Shop\Storage\Cache as Memory;
use Shop\Storage\FileStore;
use Shop\Storage\Store;

require_once __DIR__ . '/functions.php';

class App
{
    private Memory $memory;

    public function __construct(private Store $store)
    {
        $this->memory = new Memory();
    }

    public function run(\ArrayObject $names): void
    {
        $this->store->save('x');
        $this->memory->flush();
        $names->save('y');
        $names->get('z');
        total(1);
        $this->helper();
    }

    private function helper(): void
    {
        $cache = new Memory();
        $cache->get('x');
        $total = fn ($x) => $x;
        $total(1);
        $this->shadow(FileStore::open());
    }

    private function shadow(FileStore $store): void
    {
        $store->save('file');
    }
}

function main(): void
{
    $app = new App(FileStore::open());
    $app->run(new \ArrayObject());
}
