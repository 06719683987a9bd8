package io.peerlens;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.RestController;

/** What may use what. */
class ArchitectureTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.peerlens");

  private static final DescribedPredicate<JavaClass> JDBC =
      DescribedPredicate.describe(
          "JDBC",
          c ->
              c.getPackageName().startsWith("java.sql")
                  || c.getPackageName().startsWith("org.postgresql")
                  || c.getName().equals("org.springframework.jdbc.core.simple.JdbcClient")
                  || c.getName().equals("org.springframework.jdbc.core.JdbcTemplate"));

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
            "..pipeline..",
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

  @Test
  void featuresUseEachOtherInOneDirection() {
    slices()
        .matching("io.peerlens.(*)..")
        .should()
        .beFreeOfCycles()
        // Role classes wire the features; what a process is called and does, features may know.
        .ignoreDependency(
            DescribedPredicate.alwaysTrue(),
            DescribedPredicate.describe(
                "Role or RoleProperties",
                c -> c.getName().matches("io.peerlens.role.Role(Properties)?")))
        .check(CLASSES);
  }

  @Test
  void nothingUsesTheRolesExceptToKnowThem() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.peerlens.role..", "io.peerlens")
        .should()
        .dependOnClassesThat()
        .haveNameMatching("io\\.peerlens\\.role\\.(Api|Ingest|Evaluator|Notifier)Role")
        .allowEmptyShould(true)
        .check(CLASSES);
  }
}
