package io.peerlens.notify.channel;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Egress rules: where notifications may go. By default to global addresses only.
 *
 * @param allow networks ({@code 10.20.0.0/16}), addresses and host names ({@code
 *     hooks.example.com}, {@code *.corp.example}) that notifications may go to although they are
 *     not global; also the only ones that http without TLS may go to. A host name stands for
 *     private, shared and loopback addresses; link-local and other special ones need their network,
 *     metadata services their very address
 * @param deny networks, addresses and host names that notifications never go to, whatever is
 *     allowed
 * @param ports ports that notifications may go to, as {@code 443} or {@code 8000-8999}; empty = all
 */
@ConfigurationProperties("peerlens.notify.egress")
public record EgressProperties(
    @DefaultValue List<String> allow,
    @DefaultValue List<String> deny,
    @DefaultValue List<String> ports) {

  /** Global addresses only. */
  public static final EgressProperties GLOBAL =
      new EgressProperties(List.of(), List.of(), List.of());

  public EgressProperties {
    allow = List.copyOf(allow);
    deny = List.copyOf(deny);
    ports = List.copyOf(ports);
    rules(allow, deny, ports);
  }

  /** For the guard. */
  public EgressRules rules() {
    return rules(allow, deny, ports);
  }

  private static EgressRules rules(List<String> allow, List<String> deny, List<String> ports) {
    return new EgressRules("peerlens.notify.egress", "notifications", false, allow, deny, ports);
  }
}
