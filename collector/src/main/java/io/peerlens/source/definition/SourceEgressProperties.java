package io.peerlens.source.definition;

import io.peerlens.notify.channel.EgressRules;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Egress rules of collectors: where sources may be. By default at global and private addresses,
 * since a vCenter seldom has a global one, and at port 443, so that nobody can look through the
 * network with the test of a source.
 *
 * @param allow networks ({@code 127.0.0.0/8}), addresses and host names ({@code vcsim.example.com},
 *     {@code *.lab.example}) where sources may be although they are neither global nor private. A
 *     host name stands for loopback addresses; link-local and other special ones need their
 *     network, metadata services their very address
 * @param deny networks, addresses and host names where no source may be, whatever is allowed
 * @param ports ports at which sources may be, as {@code 443} or {@code 8000-8999}; empty = all. The
 *     standalone edition allows loopback addresses and all ports unless these are set
 */
@ConfigurationProperties("peerlens.collector.egress")
public record SourceEgressProperties(
    @DefaultValue List<String> allow,
    @DefaultValue List<String> deny,
    @DefaultValue("443") List<String> ports) {

  public SourceEgressProperties {
    allow = List.copyOf(allow);
    deny = List.copyOf(deny);
    ports = List.copyOf(ports);
    rules(allow, deny, ports);
  }

  /** For the guard. */
  EgressRules rules() {
    return rules(allow, deny, ports);
  }

  private static EgressRules rules(List<String> allow, List<String> deny, List<String> ports) {
    return new EgressRules("peerlens.collector.egress", "collectors", true, allow, deny, ports);
  }
}
