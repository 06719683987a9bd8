@NullMarked
package io.peerlens.notify.notice;

import org.jspecify.annotations.NullMarked;
