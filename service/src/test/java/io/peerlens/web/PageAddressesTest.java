package io.peerlens.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PageAddressesTest {

  @Test
  void theServerKnowsTheAddressesOfAllPages() throws IOException {
    try (InputStream in = PageAddressesTest.class.getResourceAsStream("/static/app/main.js")) {
      String script = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      Set<String> routes =
          Pattern.compile("^  \\[/\\^\\\\/([a-z-]*)", Pattern.MULTILINE)
              .matcher(script)
              .results()
              .map(route -> route.group(1))
              .collect(Collectors.toSet());
      assertThat(PageAddresses.PAGES).isEqualTo(routes);
    }
  }
}
