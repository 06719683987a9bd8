package io.peerlens.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whether the links of the pages to the documentation, and those within it, lead somewhere. */
class HelpTest {

  private static final Path APP = Path.of("src/main/resources/static/app");

  /** An entry of the places in core/help.js: pattern of addresses, document, section. */
  private static final Pattern PLACE =
      Pattern.compile("^  \\[/(\\^.*?)/, \"([a-z-]+)\", \"([a-z0-9-]*)\"\\],$", Pattern.MULTILINE);

  private static final Pattern LINK =
      Pattern.compile("helpAddress\\(\"([a-z-]+)\"(?:, \"([a-z0-9-]+)\")?\\)");

  private static final Pattern ROUTE =
      Pattern.compile("^  \\[/\\^(.*)\\$/, \\(\\) => import", Pattern.MULTILINE);

  private static final Pattern HREF = Pattern.compile("href=\"(/[^\"]*)\"");

  private static final Pattern ID = Pattern.compile("<h[1-6] id=\"([^\"]+)\"");

  @Test
  void everyPageHasAPartOfTheDocumentationThatExists() throws IOException {
    Set<String> there = addresses();
    List<Matcher> places =
        PLACE
            .matcher(file("core/help.js"))
            .results()
            .map(
                one -> {
                  assertThat(there).contains(one.group(2) + "#" + one.group(3));
                  return Pattern.compile(one.group(1).replace("\\/", "/")).matcher("");
                })
            .toList();
    assertThat(places).hasSizeGreaterThan(25);
    List<String> without = new ArrayList<>();
    Matcher route = ROUTE.matcher(file("main.js"));
    while (route.find()) {
      String address =
          route
              .group(1)
              .replace("\\/", "/")
              .replaceAll("\\([^/]*?36\\}[^/]*\\)(/|$)", "00000000-0000-0000-0000-000000000000$1")
              .replaceAll("\\(new\\|.*", "new")
              .replaceAll("\\(\\[.*", "1");
      if (!address.startsWith("/help")
          && !address.equals("/ui-kit")
          && places.stream().noneMatch(place -> place.reset(address).find())) {
        without.add(address);
      }
    }
    assertThat(without).isEmpty();
  }

  @Test
  void everyLinkOfAPageLeadsToASection() throws IOException {
    Set<String> there = addresses();
    int links = 0;
    try (Stream<Path> all = Files.walk(APP)) {
      for (Path one : all.filter(file -> file.toString().endsWith(".js")).toList()) {
        Matcher link = LINK.matcher(Files.readString(one));
        while (link.find()) {
          links++;
          String section = link.group(2) == null ? "" : link.group(2);
          assertThat(there).as(one.toString()).contains(link.group(1) + "#" + section);
        }
      }
    }
    assertThat(links).isGreaterThan(3);
  }

  @Test
  void everyLinkWithinTheDocumentationLeadsToASection() throws IOException {
    Set<String> there = addresses();
    for (JsonNode document : index()) {
      String name = document.path("page").asString();
      String html = served(name + ".html");
      Matcher link = HREF.matcher(html);
      while (link.find()) {
        String to = link.group(1).replaceFirst("^/help/", "").replaceFirst("[?]section=", "#");
        assertThat(there).as(name).contains(to.contains("#") ? to : to + "#");
      }
      Set<String> ids = new HashSet<>();
      ID.matcher(html).results().forEach(id -> ids.add(id.group(1)));
      for (JsonNode section : document.path("sections")) {
        String id = section.path("id").asString();
        assertThat(id.isEmpty() || ids.contains(id)).as(name + " " + id).isTrue();
      }
      assertThat(html).as(name).doesNotContain("<script", "onerror", "javascript:");
    }
  }

  /** {@code alerting#incidents} of each section, and {@code alerting#} of each document. */
  private static Set<String> addresses() throws IOException {
    Set<String> addresses = new HashSet<>();
    for (JsonNode document : index()) {
      for (JsonNode section : document.path("sections")) {
        addresses.add(document.path("page").asString() + "#" + section.path("id").asString());
      }
    }
    return addresses;
  }

  private static JsonNode index() throws IOException {
    return JsonMapper.shared().readTree(served("index.json"));
  }

  private static String served(String name) throws IOException {
    try (InputStream in = HelpTest.class.getResourceAsStream("/static/docs/" + name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String file(String name) throws IOException {
    return Files.readString(APP.resolve(name));
  }
}
