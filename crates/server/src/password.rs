//! Hashing passwords: slow by design, so on blocking threads, few at a time, with a bounded queue.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use tokio::sync::Semaphore;

use crate::error::{ApiError, Code, MOMENT};
use crate::player::Password;

/// argon2id with its recommended costs.
#[derive(Clone, Debug)]
pub struct Passwords {
    /// Places for those who work and those who wait.
    places: Arc<Semaphore>,
    workers: Arc<Semaphore>,
    /// The hash of no password: what an unknown name is compared with, so that it takes as long as a known one.
    nobody: Arc<str>,
    most: usize,
    hashed: Arc<AtomicU64>,
}

impl Passwords {
    pub fn new(workers: usize, queue: usize) -> Self {
        let nobody = argon2(b"nobody has this password").unwrap_or_default();
        Self {
            places: Arc::new(Semaphore::new(workers + queue)),
            workers: Arc::new(Semaphore::new(workers.max(1))),
            nobody: nobody.into(),
            most: workers + queue,
            hashed: Arc::default(),
        }
    }

    /// How many hashes were computed so far.
    pub fn hashed(&self) -> u64 {
        self.hashed.load(Ordering::Relaxed)
    }

    /// How many wait or are under way.
    pub fn waiting(&self) -> usize {
        self.most - self.places.available_permits()
    }

    /// The hash to store, as a PHC string.
    pub async fn hash(&self, password: Password) -> Result<String, ApiError> {
        self.run(move || argon2(password.as_bytes())).await?.ok_or_else(internal)
    }

    /// Whether `password` belongs to `hash`. Without a hash it takes as long and is `false`.
    pub async fn verify(&self, password: Password, hash: Option<String>) -> Result<bool, ApiError> {
        let known = hash.is_some();
        let hash = hash.unwrap_or_else(|| self.nobody.to_string());
        let fits = self
            .run(move || {
                PasswordHash::new(&hash).is_ok_and(|parsed| {
                    Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok()
                })
            })
            .await?;
        Ok(fits && known)
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let busy = || {
            ApiError::new(
                Code::TooManyRequests,
                "Too many people are logging in right now. Try again in a moment.",
            )
            .retry_after(MOMENT)
        };
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| busy())?;
        let worker = Arc::clone(&self.workers).acquire_owned().await.map_err(|_| busy())?;
        self.hashed.fetch_add(1, Ordering::Relaxed);
        // The permits go with the work: it runs to its end even if nobody waits for it any more.
        tokio::task::spawn_blocking(move || {
            let result = work();
            drop((place, worker));
            result
        })
        .await
        .map_err(|_| internal())
    }
}

fn argon2(password: &[u8]) -> Option<String> {
    Argon2::default().hash_password(password).ok().map(|hash| hash.to_string())
}

fn internal() -> ApiError {
    ApiError::new(Code::Internal, "Something went wrong here. It has been noted.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn password(s: &str) -> Password {
        Password::attempt(s.to_owned()).unwrap()
    }

    #[tokio::test]
    async fn only_the_same_password_fits() {
        let passwords = Passwords::new(1, 4);
        let hash = passwords.hash(password("four dimensions")).await.unwrap();
        assert!(hash.starts_with("$argon2id$"), "{hash}");
        assert!(passwords.verify(password("four dimensions"), Some(hash.clone())).await.unwrap());
        assert!(!passwords.verify(password("five dimensions"), Some(hash)).await.unwrap());
        assert!(!passwords.verify(password("nobody has this password"), None).await.unwrap());
    }

    #[tokio::test]
    async fn the_queue_is_bounded() {
        let passwords = Passwords::new(1, 1);
        let held = passwords.places.clone().acquire_many_owned(2).await.unwrap();
        assert!(passwords.hash(password("four dimensions")).await.is_err());
        drop(held);
        assert!(passwords.hash(password("four dimensions")).await.is_ok());
    }
}
