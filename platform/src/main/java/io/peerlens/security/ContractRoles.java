package io.peerlens.security;

import static io.peerlens.web.Contract.map;

import io.peerlens.api.model.UserRole;
import io.peerlens.web.Contract;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.springframework.http.HttpMethod;

/**
 * The least role of each operation, read from the contract itself ({@code x-role}), so what is
 * documented is what is enforced. An operation without one keeps the service from starting.
 */
public final class ContractRoles {

  /** Where the API lives. */
  public static final String BASE = "/api/v1";

  private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");
  private static final Set<String> ROLES = Set.of("viewer", "operator", "admin", "none");
  private static final Set<String> NARROW = Set.of("screen", "link");

  /** The variable of a path that names what a link is bound to. */
  private static final String BOUND = "id";

  private ContractRoles() {}

  /**
   * An operation of the contract.
   *
   * @param path pattern with the base path
   * @param role {@code viewer}, {@code operator}, {@code admin}; {@code none} = open to all
   * @param id its {@code operationId}
   * @param audited whether the audit log tells of it: all that are not safe by their method, unless
   *     the contract says {@code x-audit: none} because they only read
   * @param also roles that may do this and the few others that name them, and nothing else ({@code
   *     x-also}): {@code screen}, {@code link}
   */
  public record Operation(
      HttpMethod method, String path, String role, String id, boolean audited, Set<String> also) {

    /** An operation that is not for screens and links. */
    public Operation(HttpMethod method, String path, String role, String id, boolean audited) {
      this(method, path, role, id, audited, Set.of());
    }

    public Operation {
      also = Set.copyOf(also);
    }

    /**
     * Whether a caller may do it beside those of its role and above: the only place where screens
     * and links are let in. A link reads what it is bound to, which the path names.
     *
     * @param variables those of the path
     */
    boolean isAlsoFor(Caller caller, Map<String, String> variables) {
      if (!also.contains(caller.role().getValue())) {
        return false;
      }
      UUID bound = caller.boundTo();
      return caller.role() != UserRole.LINK
          || (bound != null && bound.toString().equals(variables.get(BOUND)));
    }
  }

  /** All operations, fixed paths before paths with variables. */
  public static List<Operation> read() {
    return Once.OPERATIONS;
  }

  private static final class Once {
    static final List<Operation> OPERATIONS = operations(Contract.tree());
  }

  private static List<Operation> operations(Map<String, Object> contract) {
    List<Operation> operations = new ArrayList<>();
    map(contract.get("paths"))
        .forEach(
            (path, item) ->
                map(item)
                    .forEach(
                        (method, operation) -> {
                          if (METHODS.contains(method)) {
                            String role = String.valueOf(map(operation).get("x-role"));
                            if (!ROLES.contains(role)) {
                              throw new IllegalStateException(
                                  "openapi.yaml: " + method + " " + path + " has x-role " + role);
                            }
                            Set<String> also = also(method + " " + path, map(operation));
                            operations.add(
                                new Operation(
                                    HttpMethod.valueOf(method.toUpperCase(Locale.ROOT)),
                                    BASE + path,
                                    role,
                                    String.valueOf(map(operation).get("operationId")),
                                    !method.equals("get")
                                        && !"none".equals(map(operation).get("x-audit")),
                                    also));
                          }
                        }));
    operations.sort(
        Comparator.comparing((Operation o) -> o.path().contains("{"))
            .thenComparing(Operation::path)
            .thenComparing(o -> o.method().name()));
    return List.copyOf(operations);
  }

  private static Set<String> also(String place, Map<String, Object> operation) {
    Set<String> also = new HashSet<>();
    if (operation.get("x-also") instanceof List<?> roles) {
      roles.forEach(role -> also.add(String.valueOf(role)));
    }
    if (!NARROW.containsAll(also)
        || (also.contains("link") && !place.contains("{" + BOUND + "}"))) {
      throw new IllegalStateException("openapi.yaml: " + place + " has x-also " + also);
    }
    return also;
  }
}
