package io.peerlens.source.definition;

import io.peerlens.vcenter.performance.CounterSet;
import io.peerlens.web.ApiException;
import java.util.Map;

/** Options of a source that is a vCenter. */
public final class VCenterOptions {

  /** What the vCenter is called in the ids of its objects, when not by its address. */
  public static final String IDENTITY = "identity";

  /** Counters more and less, see {@link CounterSet#with}. */
  public static final String COUNTERS = "counters";

  private VCenterOptions() {}

  /**
   * Refuses options that a vCenter does not have, and values that it could not use.
   *
   * @throws ApiException naming the first that does not fit
   */
  static void check(Map<String, String> options) {
    options.forEach(
        (name, value) -> {
          switch (name) {
            case IDENTITY -> {
              if (value.isBlank() || value.contains("/")) {
                throw ApiException.invalidField("options." + IDENTITY, "is blank or has a slash")
                    .hint("Give the name that the ids of its objects begin with: vc1.example.com.");
              }
            }
            case COUNTERS -> {
              try {
                CounterSet.shipped().with(value);
              } catch (IllegalArgumentException e) {
                throw ApiException.invalidField(
                        "options." + COUNTERS, String.valueOf(e.getMessage()))
                    .hint("Write GROUP.NAME.ROLLUP: cpu.ready.summation, -rescpu.*.*");
              }
            }
            default ->
                throw ApiException.invalidField("options." + name, "is not known")
                    .hint("A vCenter has the options %s and %s.".formatted(IDENTITY, COUNTERS));
          }
        });
  }
}
