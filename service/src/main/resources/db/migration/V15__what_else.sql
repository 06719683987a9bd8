-- What else there is to know of symptoms and alerts.

alter table symptom
  add column unknown boolean not null default false;  -- nothing is known of the value now; what stands here was the last

alter table alert
  add column around jsonb;                            -- what else went on near it when it was explained last; NULL = nothing
