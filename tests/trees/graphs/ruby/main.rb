require_relative 'lib/store'
require_relative 'lib/log'
require 'json'

class App
  def initialize
    @store = FileStore.new(Log.new)
  end

  def run(names)
    names.push(1)
    @store.rotate
    @store.save(1)
    cache = Cache.new
    cache.flush
    Cache.open('x')
    JSON.parse('{}')
    finish
  end

  def finish
    log = Log.new
    log.push('done')
  end
end

def main
  App.new.run([])
end
