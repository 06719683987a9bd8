package io.peerlens.samples;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the disk that ingest must not fill.
 *
 * @param directory a directory on that disk; the standalone edition sets it to its data. Where it
 *     is not set no disk is watched: that of a database elsewhere is not seen from here
 * @param pauseBelow per cent of the disk; ingest pauses when less is free, and resumes by itself
 *     when 2 points more are free
 */
@ConfigurationProperties("peerlens.disk")
public record DiskProperties(@Nullable Path directory, @DefaultValue("5") double pauseBelow) {

  public DiskProperties {
    if (!(pauseBelow >= 0 && pauseBelow <= 50)) {
      throw new IllegalArgumentException(
          "peerlens.disk.pause-below is not from 0 to 50 per cent: " + pauseBelow);
    }
  }

  /** Per cent that must be free before a pause ends. */
  public double resumeAbove() {
    return pauseBelow + 2;
  }
}
