package io.peerlens.slow;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verdict on a band.
 *
 * @param figure what says most; null = no data
 * @param others the rest of what is measured, most telling first
 * @param finding the cause; null unless it is here
 */
public record BandVerdict(
    Band band,
    Verdict verdict,
    @Nullable Reading figure,
    List<Reading> others,
    @Nullable Finding finding,
    String reason) {

  public BandVerdict {
    others = List.copyOf(others);
  }
}
