package com.shop.store;

public class FileStore extends AbstractStore {
  private final Journal journal;

  public FileStore(Journal journal) {
    this.journal = journal;
  }

  @Override
  public void save(String item) {
    super.save(item);
    journal.add(item);
  }

  protected void flush() {
    this.journal.write();
    Journal.rotate();
  }

  public static FileStore open() {
    return new FileStore(new Journal());
  }
}
