package io.peerlens.vcenter.vim;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Session with the vSphere Automation API (REST), which alone knows tags and storage policies.
 *
 * <p>vCenter serves it in two forms: {@code /rest}, from 6.5 on, whose answers are wrapped in
 * {@code value}, and {@code /api}, from 7.0 U2 on. The first is tried first.
 */
public final class AutomationApi {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String SESSION_HEADER = "vmware-api-session-id";
  private static final JsonMapper JSON = JsonMapper.shared();

  /** So many tags are asked for in one request. */
  private static final int TAGS_AT_ONCE = 500;

  private final VimTransport transport;
  private boolean isRest = true;
  private @Nullable String session;

  AutomationApi(VimTransport transport) {
    this.transport = transport;
  }

  /**
   * A tag.
   *
   * @param category name of its category
   */
  public record Tag(String id, String name, String category) {}

  /** Signs in. */
  public void login(String username, String password) throws VimException {
    String basic =
        "Basic "
            + Base64.getEncoder()
                .encodeToString((username + ":" + password).getBytes(StandardCharsets.UTF_8));
    Map<String, String> headers = Map.of("Authorization", basic);
    VimTransport.RestAnswer answer =
        transport.rest("POST", "/rest/com/vmware/cis/session", headers, new byte[0], PATIENCE);
    if (answer.status() == 404) {
      isRest = false;
      answer = transport.rest("POST", "/api/session", headers, new byte[0], PATIENCE);
    }
    JsonNode value = value(answer);
    session = value.asString("");
  }

  /** Signs out; failures are of no account. */
  public void logout() {
    if (session != null) {
      try {
        String path = isRest ? "/rest/com/vmware/cis/session" : "/api/session";
        transport.rest("DELETE", path, headers(), null, Duration.ofSeconds(5));
      } catch (VimException e) {
        // The session ends by itself.
      }
      session = null;
    }
  }

  /** Ids of all tags. */
  public List<String> tagIds() throws VimException {
    return texts(get("/com/vmware/cis/tagging/tag", "/cis/tagging/tags"));
  }

  /** A tag with the id of its category in the place of the name. */
  public Tag tag(String id) throws VimException {
    JsonNode tag =
        get("/com/vmware/cis/tagging/tag/id:" + part(id), "/cis/tagging/tags/" + part(id));
    return new Tag(id, tag.path("name").asString(""), tag.path("category_id").asString(""));
  }

  /** Name of a category of tags. */
  public String category(String id) throws VimException {
    return get(
            "/com/vmware/cis/tagging/category/id:" + part(id),
            "/cis/tagging/categories/" + part(id))
        .path("name")
        .asString("");
  }

  /** The objects that have each of some tags, by the id of the tag. */
  public Map<String, Set<Moref>> attached(Collection<String> tagIds) throws VimException {
    Map<String, Set<Moref>> attached = new LinkedHashMap<>();
    List<String> ids = List.copyOf(tagIds);
    for (int from = 0; from < ids.size(); from += TAGS_AT_ONCE) {
      ObjectNode body = JSON.createObjectNode();
      ids.subList(from, Math.min(ids.size(), from + TAGS_AT_ONCE))
          .forEach(body.putArray("tag_ids")::add);
      JsonNode answer =
          post(
              "/com/vmware/cis/tagging/tag-association?~action=list-attached-objects-on-tags",
              "/cis/tagging/tag-association?action=list-attached-objects-on-tags",
              body);
      for (JsonNode tag : answer) {
        Set<Moref> objects = new LinkedHashSet<>();
        for (JsonNode object : tag.path("object_ids")) {
          objects.add(new Moref(object.path("type").asString(""), object.path("id").asString("")));
        }
        attached.put(tag.path("tag_id").asString(""), objects);
      }
    }
    return attached;
  }

  /** A storage policy. */
  public record StoragePolicy(String id, String name) {}

  /**
   * Something that is told of a machine's own files and of its disks.
   *
   * @param home of the files; empty = nothing
   * @param disks by the keys of the disks
   */
  public record OfMachine(String home, Map<String, String> disks) {}

  /** Statuses that the compliance of a machine or disk may have. */
  private static final List<String> STATUSES =
      List.of("COMPLIANT", "NON_COMPLIANT", "UNKNOWN_COMPLIANCE", "NOT_APPLICABLE", "OUT_OF_DATE");

  /** All storage policies; empty when this vCenter does not serve them or the account may not. */
  public List<StoragePolicy> storagePolicies() throws VimException {
    List<StoragePolicy> policies = new ArrayList<>();
    JsonNode told = getIfThere("/vcenter/storage/policies");
    if (told != null) {
      for (JsonNode policy : told) {
        policies.add(
            new StoragePolicy(
                policy.path("policy").asString(""), policy.path("name").asString("")));
      }
    }
    return policies;
  }

  /**
   * The machines that a storage policy is given to, with its id where it is given; null when
   * vCenter does not tell them, which it does not do for more than a thousand.
   */
  public @Nullable Map<Moref, OfMachine> machinesOf(StoragePolicy policy) throws VimException {
    JsonNode told = getIfThere("/vcenter/storage/policies/" + part(policy.id()) + "/vm");
    if (told == null) {
      return null;
    }
    Map<Moref, OfMachine> machines = new LinkedHashMap<>();
    entries(told)
        .forEach(
            (vm, use) -> {
              Map<String, String> disks = new LinkedHashMap<>();
              use.path("disks").forEach(disk -> disks.put(disk.asString(""), policy.id()));
              boolean isHome = use.path("vm_home").asBoolean(false);
              machines.put(machine(vm), new OfMachine(isHome ? policy.id() : "", disks));
            });
    return machines;
  }

  /** Ids of the storage policies of one machine; null when vCenter does not tell them. */
  public @Nullable OfMachine policiesOf(Moref machine) throws VimException {
    JsonNode told = getIfThere("/vcenter/vm/" + part(machine.value()) + "/storage/policy");
    return told == null ? null : ofMachine(told);
  }

  /** Statuses of some machines; those without a policy are left out. At most 1,000 at once. */
  public Map<Moref, OfMachine> compliance(Collection<Moref> machines) throws VimException {
    List<String> query = new ArrayList<>();
    int n = 0;
    for (String status : STATUSES) {
      query.add((isRest ? "filter.status." + ++n : "status") + "=" + status);
    }
    n = 0;
    for (Moref machine : machines) {
      query.add((isRest ? "filter.vms." + ++n : "vms") + "=" + part(machine.value()));
    }
    JsonNode told =
        getIfThere("/vcenter/storage/policies/compliance/vm?" + String.join("&", query));
    Map<Moref, OfMachine> found = new LinkedHashMap<>();
    if (told != null) {
      entries(told).forEach((vm, statuses) -> found.put(machine(vm), ofMachine(statuses)));
    }
    return found;
  }

  private static Moref machine(String id) {
    return new Moref("VirtualMachine", id);
  }

  private static OfMachine ofMachine(JsonNode told) {
    Map<String, String> disks = new LinkedHashMap<>();
    entries(told.path("disks")).forEach((disk, text) -> disks.put(disk, text.asString("")));
    return new OfMachine(told.path("vm_home").asString(""), disks);
  }

  /** A map is an object, or in the older form an array of keys and values. */
  private static Map<String, JsonNode> entries(JsonNode map) {
    Map<String, JsonNode> entries = new LinkedHashMap<>();
    if (map.isArray()) {
      map.forEach(entry -> entries.put(entry.path("key").asString(""), entry.path("value")));
    } else {
      map.properties().forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
    }
    return entries;
  }

  /**
   * The answer to a request that has the same path in both forms; null where vCenter does not know
   * the path, does not let the account see it, or answers that it is too much.
   */
  private @Nullable JsonNode getIfThere(String path) throws VimException {
    VimTransport.RestAnswer answer =
        transport.rest("GET", (isRest ? "/rest" : "/api") + path, headers(), null, PATIENCE);
    return switch (answer.status()) {
      case 400, 403, 404, 500, 501 -> null;
      default -> value(answer);
    };
  }

  private JsonNode get(String rest, String api) throws VimException {
    return request("GET", rest, api, null);
  }

  private JsonNode post(String rest, String api, ObjectNode body) throws VimException {
    return request("POST", rest, api, JSON.writeValueAsBytes(body));
  }

  private JsonNode request(String method, String rest, String api, byte @Nullable [] body)
      throws VimException {
    String path = isRest ? "/rest" + rest : "/api" + api;
    return value(transport.rest(method, path, headers(), body, PATIENCE));
  }

  private Map<String, String> headers() {
    return session == null ? Map.of() : Map.of(SESSION_HEADER, session);
  }

  private JsonNode value(VimTransport.RestAnswer answer) throws VimException {
    if (answer.status() == 401) {
      throw new VimException.Fault("NotAuthenticated", "the Automation API refuses the session");
    }
    if (answer.status() == 403) {
      throw new VimException.Fault("NoPermission", "the Automation API refuses the request");
    }
    if (answer.status() / 100 != 2) {
      throw new VimException.Unavailable(
          "The Automation API answers HTTP %d %s"
              .formatted(answer.status(), VimTransport.shown(answer.body())),
          null);
    }
    try {
      JsonNode root = JSON.readTree(answer.body());
      return isRest && root.has("value") ? root.path("value") : root;
    } catch (JacksonException e) {
      throw new VimException.Unavailable("The Automation API answers no JSON", e);
    }
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(element -> texts.add(element.asString("")));
    return texts;
  }

  /** Part of a path; ids of tags are urns with colons. */
  private static String part(String id) {
    return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
