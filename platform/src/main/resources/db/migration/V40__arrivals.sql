-- What came to an object and what left it is part of its history; both are found by the name of the parent.

create index object_change_arrival on object_change (new_value, time) where kind = 'placement';
create index object_change_departure on object_change (old_value, time) where kind = 'placement';
