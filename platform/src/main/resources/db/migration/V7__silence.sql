-- How often each object reports, so that silence can be told by its own interval. Noted, like last_seen, at most
-- every 30 s, and only when newer samples came.
alter table object_liveness
  add column gap_s        int,  -- between the newest two moments noted; NULL = noted once
  add column gap_before_s int,  -- and the one before
  add column delay_s      int;  -- age of the newest sample when it came in
