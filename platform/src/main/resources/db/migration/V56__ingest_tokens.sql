-- Tokens of senders, which write metrics and events and read nothing.

alter table api_token drop constraint api_token_role_check;
alter table api_token add constraint api_token_role_check check (role in ('viewer', 'operator', 'admin', 'ingest'));
