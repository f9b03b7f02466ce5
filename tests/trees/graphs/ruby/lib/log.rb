class Log
  def write_line(text)
    format_line(text)
  end

  def format_line(text)
    text.strip
  end

  def push(line)
    write_line(line)
  end
end

class Console
  def format_line(text)
    text
  end
end
