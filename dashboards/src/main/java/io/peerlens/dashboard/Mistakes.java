package io.peerlens.dashboard;

import io.peerlens.api.model.FieldError;
import io.peerlens.dashboard.file.BundleReader;
import io.peerlens.dashboard.file.Mistake;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.util.List;

/** Mistakes in definitions as the API says them. */
final class Mistakes {

  private Mistakes() {}

  /**
   * What was read.
   *
   * @throws ApiException if there are mistakes; each is a field with its path and how to mend it
   */
  static <T> T valid(BundleReader.Result<T> result) {
    T value = result.value();
    if (value != null) {
      return value;
    }
    Mistake first = result.mistakes().getFirst();
    ApiException problem =
        ApiException.of(
            ErrorCode.INVALID_BODY,
            "Field %s %s.%s"
                .formatted(
                    first.path(),
                    first.text(),
                    result.mistakes().size() > 1
                        ? " There are %d mistakes in all.".formatted(result.mistakes().size())
                        : ""));
    for (Mistake mistake : result.mistakes()) {
      problem = problem.field(mistake.path(), reason(mistake));
    }
    throw first.hint().isEmpty() ? problem : problem.hint(first.hint());
  }

  static List<FieldError> errors(List<Mistake> mistakes) {
    return mistakes.stream().map(one -> new FieldError(one.path(), reason(one))).toList();
  }

  private static String reason(Mistake mistake) {
    return mistake.hint().isEmpty() ? mistake.text() : mistake.text() + ". " + mistake.hint();
  }
}
