package io.peerlens;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.RestController;

/** What may use what. */
class ArchitectureTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importLocations(ours());

  /** Folders or archives of our own modules, not those of libraries. */
  private static List<Location> ours() {
    return Pattern.compile(File.pathSeparator)
        .splitAsStream(System.getProperty("java.class.path"))
        .map(Path::of)
        .filter(
            path ->
                (path.endsWith(Path.of("target", "classes"))
                        || path.getFileName().toString().startsWith("peerlens-"))
                    && !path.toString().contains("test-support"))
        .map(
            path ->
                Location.of(
                    Files.isDirectory(path)
                        ? path.toUri()
                        : URI.create("jar:" + path.toUri() + "!/")))
        .toList();
  }

  private static final DescribedPredicate<JavaClass> JDBC =
      DescribedPredicate.describe(
          "JDBC",
          c ->
              c.getPackageName().startsWith("java.sql")
                  || c.getPackageName().startsWith("org.postgresql")
                  || c.getName().equals("org.springframework.jdbc.core.simple.JdbcClient")
                  || c.getName().equals("org.springframework.jdbc.core.JdbcTemplate"));

  /** What is not read is not checked. */
  @Test
  void allModulesAreRead() {
    assertThat(
            CLASSES.stream()
                .map(c -> c.getPackageName().split("\\."))
                .filter(name -> name.length > 2)
                .map(name -> name[2]))
        .contains("api", "ingest", "supermetrics", "outliers", "baselines", "alerttemplates")
        .contains("alert", "evaluation", "notify", "role", "store", "web");
    assertThat(CLASSES.stream().map(JavaClass::getName))
        .noneMatch(name -> name.endsWith("ArchitectureTest"));
  }

  @Test
  void controllersImplementTheGeneratedInterfacesAndTouchNoDatabase() {
    classes()
        .that()
        .areAnnotatedWith(RestController.class)
        .should()
        .implement(
            DescribedPredicate.describe(
                "an interface that is generated from the contract",
                c -> c.getPackageName().equals("io.peerlens.api") && c.isInterface()))
        .andShould()
        .notBePublic()
        .check(CLASSES);
    noClasses()
        .that()
        .areAnnotatedWith(RestController.class)
        .should()
        .dependOnClassesThat(JDBC)
        .check(CLASSES);
  }

  @Test
  void onlyStoresTouchTheDatabase() {
    noClasses()
        .that()
        .resideInAPackage("io.peerlens..")
        .and()
        .resideOutsideOfPackages(
            "..store..",
            "..inventory..",
            "..frame..",
            "..samples..",
            "..job..",
            "..database..",
            "..standalone..",
            "..benchmarks..")
        .and()
        .haveSimpleNameNotEndingWith("Store")
        .and()
        .haveSimpleNameNotEndingWith("Queries")
        .and()
        .haveSimpleNameNotEndingWith("Configuration") // wiring passes them on
        .and()
        .haveSimpleNameNotEndingWith("Rows") // what stores and queries share to read and write rows
        .and(
            DescribedPredicate.describe(
                "are not inside a store", c -> !c.getName().matches(".*(Store|Queries|Rows)\\$.*")))
        .should()
        .dependOnClassesThat(JDBC)
        .check(CLASSES);
  }

  @Test
  void ingestKnowsNeitherSpringNorTheDatabase() {
    noClasses()
        .that()
        .resideInAPackage("io.peerlens.ingest..")
        .should()
        .dependOnClassesThat(
            JDBC.or(JavaClass.Predicates.resideInAPackage("org.springframework..")))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void formulasKnowNoSpring() {
    noClasses()
        .that()
        .resideInAPackage("io.peerlens.supermetrics..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.springframework..", "java.sql..")
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  /** Every package, however deep; modules have no cycles, since Maven allows none. */
  @Test
  void packagesUseEachOtherInOneDirection() {
    slices().matching("io.peerlens.(**)").should().beFreeOfCycles().check(CLASSES);
  }
}
