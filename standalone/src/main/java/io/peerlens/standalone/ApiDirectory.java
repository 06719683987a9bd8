package io.peerlens.standalone;

import io.peerlens.standalone.esxtop.ObjectDirectory;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Directory of the hosts and virtual machines of a service, by its API. */
final class ApiDirectory implements ObjectDirectory {

  private static final int PAGE = 1_000;
  private static final int MAX_TEXT = 200;

  private final ApiClient api;
  private final URI url;

  ApiDirectory(ApiClient api, URI url) {
    this.api = api;
    this.url = url;
  }

  @Override
  public List<Found> hosts(String text) {
    return find("HostSystem", "name", held(text));
  }

  @Override
  public List<Found> machinesOf(String hostId) {
    return find("VirtualMachine", "parent", hostId);
  }

  @Override
  public List<Found> machines(String text) {
    return find("VirtualMachine", "name", held(text));
  }

  /** The longest part of a name that the API takes as it stands: an asterisk is a wildcard. */
  private static String held(String text) {
    int asterisk = text.indexOf('*');
    String plain = asterisk < 0 ? text : text.substring(0, asterisk);
    return plain.length() > MAX_TEXT ? plain.substring(0, MAX_TEXT) : plain;
  }

  private List<Found> find(String kind, String filter, String value) {
    Map<String, Object> query = new HashMap<>();
    query.put("adapterKind", List.of("VMWARE"));
    query.put("objectKind", List.of(kind));
    if (!value.isEmpty()) {
      query.put(filter, value);
    }
    query.put("limit", PAGE);
    List<Found> found = new ArrayList<>();
    try {
      while (true) {
        JsonNode page = api.objects(query);
        for (JsonNode object : page.path("items")) {
          found.add(
              new Found(
                  object.path("id").asString(""),
                  object.path("externalId").asString(""),
                  object.path("name").asString(""),
                  object.path("state").asString("").equals("silent")));
        }
        String next = page.path("nextCursor").asString("");
        if (next.isEmpty()) {
          return found;
        }
        query.put("cursor", next);
      }
    } catch (IOException e) {
      throw new Refusal(
          "Whose samples these are cannot be asked: "
              + Commands.describe(e, url)
              + ". Without a service, --create makes objects of their own.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal("Interrupted.");
    }
  }
}
