package io.peerlens.support;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Time that tests wait for what they expect, where they do not say it: classes run side by side on
 * machines that may have other things to do, and who waits for a condition loses nothing by being
 * patient.
 */
public final class Patience implements LauncherSessionListener {

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
    // They are of the whole JVM: what ends a thread of one class must not end the wait of another.
    Awaitility.doNotCatchUncaughtExceptionsByDefault();
  }
}
