package io.peerlens.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The colours of tokens.css can be read, and told apart with any colour vision. */
class TokensTest {

  private static final String CSS = read("/static/app/css/tokens.css");
  private static final List<String> GROUNDS =
      List.of("surface", "bg", "inset", "hover", "selected");
  private static final List<String> TEXTS =
      List.of(
          "ink",
          "ink-2",
          "ink-3",
          "accent",
          "critical",
          "immediate",
          "warning",
          "info",
          "unknown",
          "deviant-1-text",
          "deviant-2",
          "deviant-3",
          "axis",
          "added",
          "removed",
          "code-fn",
          "code-key",
          "code-str",
          "code-num",
          "code-op");
  private static final List<String> WITH_SOFT_GROUND =
      List.of("critical", "immediate", "warning", "info", "unknown", "added", "removed");
  private static final List<String> MARKS =
      List.of("deviant-1", "immediate-mark", "warning-mark", "peer-strong", "control", "critical");

  private enum Theme {
    LIGHT(":root"),
    DARK("[data-theme=\"dark\"]");

    private final Map<String, Colour> colours = new LinkedHashMap<>();

    Theme(String selector) {
      int from = CSS.indexOf('{', CSS.indexOf(selector));
      Matcher token =
          Pattern.compile("--([\\w-]+):\\s*#([0-9a-f]{6})")
              .matcher(CSS.substring(from, CSS.indexOf("\n}", from)));
      while (token.find()) {
        colours.put(token.group(1), Colour.of(token.group(2)));
      }
    }

    Colour colour(String token) {
      return Objects.requireNonNull(colours.get(token), () -> this + " does not define --" + token);
    }
  }

  /** What of a colour is seen, as a matrix over linear RGB (Machado, Oliveira, Fernandes 2009). */
  private enum Vision {
    PROTANOPIA(
        0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116,
        1.051998),
    DEUTERANOPIA(
        0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881),
    TRITANOPIA(
        1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367,
        0.303900);

    private final double[] matrix;

    Vision(double... matrix) {
      this.matrix = matrix;
    }
  }

  /** Linear RGB, 0 to 1. */
  private record Colour(double red, double green, double blue) {

    static Colour of(String hex) {
      int rgb = Integer.parseInt(hex, 16);
      return new Colour(linear(rgb >> 16), linear(rgb >> 8 & 0xff), linear(rgb & 0xff));
    }

    private static double linear(int channel) {
      double c = channel / 255.0;
      return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
    }

    double luminance() {
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    }

    double contrast(Colour other) {
      double lighter = Math.max(luminance(), other.luminance());
      double darker = Math.min(luminance(), other.luminance());
      return (lighter + 0.05) / (darker + 0.05);
    }

    Colour seenWith(Vision vision) {
      double[] m = vision.matrix;
      return new Colour(
          clamp(m[0] * red + m[1] * green + m[2] * blue),
          clamp(m[3] * red + m[4] * green + m[5] * blue),
          clamp(m[6] * red + m[7] * green + m[8] * blue));
    }

    private static double clamp(double c) {
      return Math.clamp(c, 0, 1);
    }

    /** Distance in CIE L*a*b* (CIE76). */
    double distance(Colour other) {
      double[] a = lab();
      double[] b = other.lab();
      return Math.sqrt(
          Math.pow(a[0] - b[0], 2) + Math.pow(a[1] - b[1], 2) + Math.pow(a[2] - b[2], 2));
    }

    private double[] lab() {
      double x = f((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047);
      double y = f(luminance());
      double z = f((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883);
      return new double[] {116 * y - 16, 500 * (x - y), 200 * (y - z)};
    }

    private static double f(double t) {
      return t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16.0 / 116;
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyTextColourReadsOnEveryGround(Theme theme) {
    for (String text : TEXTS) {
      for (String ground : GROUNDS) {
        assertContrast(theme, text, ground, 4.5);
      }
    }
    for (String text : WITH_SOFT_GROUND) {
      assertContrast(theme, text, text + "-soft", 4.5);
    }
    assertContrast(theme, "on-accent", "accent", 4.5);
  }

  @ParameterizedTest
  @EnumSource
  void textOnSequentialStepsReads(Theme theme) {
    for (int step = 0; step <= 3; step++) {
      assertThat(
              Math.max(
                  theme.colour("ink").contrast(theme.colour("seq-" + step)),
                  theme.colour("on-accent").contrast(theme.colour("seq-" + step))))
          .as("%s, text on --seq-%d", theme, step)
          .isGreaterThanOrEqualTo(4.5);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyMarkStandsOutFromTheSurface(Theme theme) {
    for (String mark : MARKS) {
      assertContrast(theme, mark, "surface", 3);
    }
    for (int series = 1; series <= 6; series++) {
      assertContrast(theme, "series-" + series, "surface", 3);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theDeviantDiffersFromPeersAndAccentWithAnyColourVision(Theme theme) {
    for (Vision vision : Vision.values()) {
      Colour deviant = theme.colour("deviant-1").seenWith(vision);
      for (String other : List.of("peer-strong", "accent")) {
        assertThat(deviant.distance(theme.colour(other).seenWith(vision)))
            .as("%s, %s, deviant against %s", theme, vision, other)
            .isGreaterThanOrEqualTo(50);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void linesThatAreComparedDifferFromEachOther(Theme theme) {
    for (int a = 1; a <= 6; a++) {
      for (int b = a + 1; b <= 6; b++) {
        assertThat(theme.colour("series-" + a).distance(theme.colour("series-" + b)))
            .as("%s, series %d and %d", theme, a, b)
            .isGreaterThanOrEqualTo(15);
      }
    }
  }

  private static void assertContrast(Theme theme, String front, String ground, double least) {
    assertThat(theme.colour(front).contrast(theme.colour(ground)))
        .as("%s, --%s on --%s", theme, front, ground)
        .isGreaterThanOrEqualTo(least);
  }

  private static String read(String resource) {
    try (InputStream in = TokensTest.class.getResourceAsStream(resource)) {
      return new String(
          Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
