<?php
namespace Shop\Storage;

abstract class BaseStore implements Store
{
    protected Journal $journal;

    public function __construct(Journal $journal)
    {
        $this->journal = $journal;
    }

    public function save(string $item): void
    {
        $this->journal->add($item);
        $this->flush();
    }

    abstract protected function flush(): void;
}
