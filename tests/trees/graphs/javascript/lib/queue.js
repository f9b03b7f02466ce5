class Queue {
  constructor() {
    this.items = [];
    this.log = new Journal();
  }

  push(item) {
    this.items.push(item);
    this.log.write(item);
    return this.size();
  }

  size() {
    return this.items.length;
  }
}

class Journal {
  write(line) {
    format(line);
  }

  size() {
    return 0;
  }
}

class Stack extends Queue {
  push(item) {
    super.push(item);
    return this.size();
  }
}

function format(line) {
  return String(line);
}

module.exports = { Queue, Stack, format };
