module Saving
  def save_all(items)
    items.each { |item| save(item) }
  end
end

class Store
  include Saving

  def initialize(log)
    @log = log
    @cache = Cache.new
  end

  def save(item)
    @cache.push(item)
    flush
  end

  def flush
    @log.write_line('x')
  end
end

class Cache
  def push(item)
    check(item)
  end

  def flush
    self.reset_all
  end

  def reset_all
  end

  def self.open(name)
    Cache.new
  end

  private

  def check(item)
    item.push(1)
  end
end

class FileStore < Store
  def rotate
    flush
    helper = 1
    helper
  end

  def helper
  end
end
