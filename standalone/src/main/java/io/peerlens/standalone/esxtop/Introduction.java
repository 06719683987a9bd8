package io.peerlens.standalone.esxtop;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Record that names an object of which nothing but esxtop tells. */
final class Introduction {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private Introduction() {}

  static byte[] of(String id, Owner owner, String hostId, String hostName, long timeMs) {
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("adapterKind", "VMWARE");
    switch (owner) {
      case Owner.Host host -> {
        record.put("objectKind", "HostSystem");
        record.put("name", hostName);
      }
      case Owner.Machine machine -> {
        record.put("objectKind", "VirtualMachine");
        record.put("name", machine.name());
        record.put("parents", List.of(Map.of("objectKind", "HostSystem", "id", hostId)));
      }
    }
    record.put("id", id);
    record.put("time", Instant.ofEpochMilli(timeMs).toString());
    return JSON.writeValueAsBytes(record);
  }
}
