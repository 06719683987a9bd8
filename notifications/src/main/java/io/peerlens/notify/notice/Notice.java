package io.peerlens.notify.notice;

import org.jspecify.annotations.Nullable;

/**
 * Notice about the installation: something that is wrong with it.
 *
 * @param key the same while it lasts
 * @param kind of notice: rules can name it as a definition
 * @param name as the alert is called
 * @param criticality as of alerts
 * @param words what is wrong, with figures
 * @param subject id of what it is about; null = the installation
 * @param subjectName its name
 * @param subjectKind what it is, such as {@code NotificationTarget}
 */
record Notice(
    String key,
    String kind,
    String name,
    String criticality,
    String words,
    @Nullable String subject,
    @Nullable String subjectName,
    @Nullable String subjectKind) {

  /** A notice about the installation; its kind is the key up to the first slash. */
  static Notice of(String key, String name, String criticality, String words) {
    String kind = key.replaceFirst("/.*", "");
    return new Notice(key, kind, name, criticality, words, null, null, null);
  }
}
