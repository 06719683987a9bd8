package io.peerlens.assistant;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the server for assistants ({@code /mcp}), which only reads, and needs a token.
 *
 * @param enabled whether nodes with the role api answer at {@code /mcp}
 * @param hosts names by which this server is reached, without a port; when set, requests that name
 *     another host are refused. Requests of browsers are answered only at one of these names, at
 *     that of the pages, at an address or at localhost
 * @param maxCharacters longest answer of a tool; rows are left out beyond it, and the answer says
 *     so
 */
@ConfigurationProperties("peerlens.assistants")
public record AssistantProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue({}) List<String> hosts,
    @DefaultValue("24000") int maxCharacters) {

  public AssistantProperties {
    if (maxCharacters < 4_000 || maxCharacters > 200_000) {
      throw new IllegalArgumentException(
          "peerlens.assistants.max-characters is not between 4000 and 200000: " + maxCharacters);
    }
    hosts = List.copyOf(hosts);
  }
}
