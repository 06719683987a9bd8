package io.peerlens.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class SuiteReportTest {

  private static final AtomicLong SECONDS = new AtomicLong();

  private static SuiteReport run(Class<?>... classes) {
    SuiteReport report = new SuiteReport(() -> SECONDS.get() * 1_000_000_000L);
    LauncherFactory.create(
            LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build())
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(Stream.of(classes).map(c -> selectClass(c)).toList())
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .build(),
            report);
    return report;
  }

  static class Quick {
    @Test
    void takesASecond() {
      SECONDS.addAndGet(1);
    }
  }

  static class Slow {
    @BeforeAll
    static void setUp() {
      SECONDS.addAndGet(100);
    }

    @Test
    void takesFiveSeconds() {
      SECONDS.addAndGet(5);
    }

    @Nested
    class Inner {
      @Test
      void takesTwentySeconds() {
        SECONDS.addAndGet(20);
      }
    }
  }

  @Test
  void theSlowestClassComesFirstWithItsSetUpAndWhatIsNestedInIt() {
    assertThat(run(Quick.class, Slow.class).times())
        .containsExactly(
            "  125.0 s  " + Slow.class.getName(), "    1.0 s  " + Quick.class.getName());
  }

  static class WithoutBrowser {
    @BeforeAll
    static void browser() {
      throw new Missing("a browser", "package browser");
    }

    @Test
    void one() {}

    @Test
    void two() {}

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void cases(int number) {}
  }

  static class OneWithoutBrowser {
    @Test
    void browser() {
      throw new Missing("a browser", "package browser");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void compiler(int number) {
      throw new Missing("a compiler", "package compiler");
    }

    @Test
    void passes() {}
  }

  @Test
  void testsThatAToolIsMissingForAreCountedByTool() {
    assertThat(run(WithoutBrowser.class, OneWithoutBrowser.class, Quick.class).leftOut(Map.of()))
        .containsExactly(
            "LEFT OUT: 2 tests for lack of a compiler. To get it: package compiler.",
            "LEFT OUT: 4 tests for lack of a browser. To get it: package browser.");
  }

  @Test
  void testsThatProveLessAreReportedToo() {
    assertThat(run(Quick.class).leftOut(Map.of("Docker", "no chunks; install it")))
        .containsExactly("LESS PROVED, for lack of Docker: no chunks; install it.");
  }

  @Test
  void aCompleteRunReportsNoMissingTools() {
    assertThat(run(Quick.class).leftOut(Map.of())).isEmpty();
  }

  @Test
  void theReportIsInTheFolderThatIsNamed(@TempDir Path folder) throws Exception {
    Path within = folder.resolve("not/yet/there");
    run(WithoutBrowser.class, Quick.class).write(within, Map.of());
    assertThat(Files.readAllLines(within.resolve("times"))).hasSize(2);
    assertThat(Files.readAllLines(within.resolve("left-out")))
        .isEqualTo(List.of("LEFT OUT: 3 tests for lack of a browser. To get it: package browser."));
  }
}
