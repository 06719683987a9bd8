-- A past that is read all at once, as after an outage, is no lateness: its samples come in faster than they were taken.

alter table object_liveness
  add column arrived_at timestamptz;  -- when the newest sample came in; NULL = not known
