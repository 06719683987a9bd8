@NullMarked
package io.peerlens.notify.mail;

import org.jspecify.annotations.NullMarked;
