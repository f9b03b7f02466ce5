#include "table.h"
#include "list.h"

static int grow(int k)
{
  return k * 2;
}

void table_put(int k)
{
  struct list *l = list_new();
  list_push(l, grow(k));
}

static void walk(int (*grow)(int), int k)
{
  grow(k);
}

void table_walk(int k)
{
  int (*list_size)(int) = grow;
  list_size(k);
  walk(grow, k);
}
