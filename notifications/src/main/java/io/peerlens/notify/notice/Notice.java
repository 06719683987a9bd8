package io.peerlens.notify.notice;

import org.jspecify.annotations.Nullable;

/**
 * Something that is wrong with the installation.
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

  static Notice of(String key, String name, String criticality, String words) {
    return new Notice(key, key, name, criticality, words, null, null, null);
  }
}
