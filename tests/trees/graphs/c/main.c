#include <stdio.h>
#include "list.h"
#include "table.h"

int main(void)
{
  struct list *l = list_new();
  list_push(l, 1);
  table_put(list_size(l));
  printf("%d", 1);
  return 0;
}
