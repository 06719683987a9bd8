package io.peerlens.node;

import java.util.EnumSet;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration of this process: its roles and its name.
 *
 * @param roles the roles of this process
 * @param node name of this process in statistics and logs; empty = the host's name and process id
 */
@ConfigurationProperties("peerlens")
public record NodeProperties(
    @DefaultValue({"collector", "ingest", "evaluator", "notifier", "api"}) Set<Role> roles,
    @DefaultValue("") String node) {

  public NodeProperties {
    if (roles.isEmpty()) {
      throw new IllegalArgumentException(
          "peerlens.roles is empty: name at least one of collector, ingest, evaluator, notifier, api");
    }
    roles = Set.copyOf(EnumSet.copyOf(roles));
    node = node.isBlank() ? defaultNode() : node;
  }

  private static String defaultNode() {
    String host = System.getenv("HOSTNAME");
    return (host == null || host.isBlank() ? "localhost" : host)
        + "-"
        + ProcessHandle.current().pid();
  }
}
