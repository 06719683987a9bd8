package io.peerlens.suiteapi;

import io.peerlens.suiteapi.SuiteException.Failure;
import io.peerlens.web.ApiException;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Checks of definitions before they are stored: those of the contract of {@code /api/v1}, which no
 * controller makes for this API, and those of what stores them. What is wrong has the names that
 * the vendor gives it.
 */
final class DefinitionChecks {

  private final Validator validator;

  DefinitionChecks(Validator validator) {
    this.validator = validator;
  }

  /**
   * Stores a definition.
   *
   * @param wanted as the contract of {@code /api/v1} has it
   * @param names gives the vendor's path of a field for ours
   */
  <T> T store(Object wanted, UnaryOperator<String> names, Supplier<T> work) {
    List<Failure> failures =
        validator.validate(wanted).stream()
            .sorted(Comparator.comparing(one -> one.getPropertyPath().toString()))
            .map(one -> failure(one, names))
            .toList();
    if (!failures.isEmpty()) {
      throw SuiteException.invalid(failures);
    }
    try {
      return work.get();
    } catch (ApiException e) {
      throw SuiteException.of(e, names);
    }
  }

  private static Failure failure(ConstraintViolation<Object> one, UnaryOperator<String> names) {
    String path = names.apply(one.getPropertyPath().toString());
    return new Failure(path + " " + one.getMessage(), path);
  }
}
