#ifndef LIST_H
#define LIST_H

struct list;

struct list *list_new(void);
void list_push(struct list *l, int v);
int list_size(const struct list *l);

#endif
