-- Telegraf's tag uuid is the BIOS uuid (vCenter's config.uuid). It was stored under the name of the instance uuid, which is
-- another number. Who did send the instance uuid, in our JSON, tells it again with the next sample.
update object
set properties = properties - 'config|instanceUuid'
                 || jsonb_build_object('config|uuid', properties -> 'config|instanceUuid')
where adapter_kind = 'VMWARE' and object_kind = 'VirtualMachine'
  and properties ? 'config|instanceUuid' and not properties ? 'config|uuid';
